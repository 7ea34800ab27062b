// Fills the page and opens the game in the URL, or the first game.

showHeader();
showTournament();
showGames();
if (page.is_review) {
  byId("lead").replaceChildren();
  for (const id of ["sections", "standings", "sprt", "crosstable", "curves", "endings"]) byId(id).hidden = true;
  byId("games").hidden = page.games.length < 2;
  byId("games-title").replaceChildren(t("Games"));
}

document.addEventListener("keydown", onKey);
window.addEventListener("hashchange", (event) => {
  if (followLink(new URL(event.newURL).hash)) byId("viewer").scrollIntoView({ block: "start" });
});
if (followLink(location.hash)) byId("viewer").scrollIntoView({ block: "start" });
else if (page.games.length > 0) openGame(page.games[0], page.is_review ? 0 : page.games[0].moves.length);

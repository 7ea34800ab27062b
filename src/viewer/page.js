// Opens the game in the URL, or the first game.

showGames();
byId("games").hidden = page.is_review && page.games.length < 2;

document.addEventListener("keydown", onKey);
window.addEventListener("hashchange", (event) => {
  if (followLink(new URL(event.newURL).hash)) byId("viewer").scrollIntoView({ block: "start" });
});
if (followLink(location.hash)) byId("viewer").scrollIntoView({ block: "start" });
else if (page.games.length > 0) openGame(page.games[0], page.is_review ? 0 : page.games[0].moves.length);

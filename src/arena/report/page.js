// Puts everything up, and opens the game that the address names or else the first one.

showHead();
showStandings();
showTest();
showCrosstable();
showCurves();
showEndings();
showGames();

document.addEventListener("keydown", onKey);
window.addEventListener("hashchange", (event) => {
  if (followLink(new URL(event.newURL).hash)) byId("viewer").scrollIntoView({ block: "start" });
});
if (followLink(location.hash)) byId("viewer").scrollIntoView({ block: "start" });
else if (page.games.length > 0) openGame(page.games[0], page.games[0].moves.length);

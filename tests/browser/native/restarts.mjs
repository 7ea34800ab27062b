// A lost socket heals; a killed and restarted program finds the unfinished game.

import { chooseGame, clickSpot, log, newContext, open, startGame, until, untilPlies } from "../driver.mjs";
import { startServer } from "./server.mjs";

export async function restarts() {
  const first = await startServer(0);
  const context = await newContext();
  const sockets = [];
  await context.routeWebSocket(/socket$/, (socket) => { sockets.push(socket); socket.connectToServer(); });
  const page = await open(first.address, { context });
  await startGame(page, "tixtax");
  await clickSpot(page, 40);
  await untilPlies(page, 1, "a move");
  for (const socket of sockets) await socket.close();
  await until(page, () => document.getElementById("banner").hidden && document.querySelector(".toast") !== null, "the connection heals");
  page.mayFail = true;
  await first.end();
  await until(page, () => !document.getElementById("banner").hidden, "a lost connection is shown");
  const second = await startServer(first.port);
  const again = await open(second.address, { context });
  await untilPlies(again, 1, "the game survives a restart of the program");
  again.mayFail = true;
  await second.end();
  await context.close();
  log("reconnection and restart");
}

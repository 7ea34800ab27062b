// Starts `zermelo gui` for the browser check.

import { spawn } from "node:child_process";
import { resolve } from "node:path";

/** The program, which must be built. */
export const native = { program: "target/release/zermelo" };

/** Starts the program; returns its address, its port and functions that end it. */
export async function startServer(port, args = []) {
  const child = spawn(resolve(native.program), ["gui", "--no-browser", "--port", `${port}`, ...args], { stdio: ["ignore", "pipe", "inherit"] });
  const address = await new Promise((found, failed) => {
    let text = "";
    child.stdout.on("data", (data) => { text += data; const match = /http:\/\/\S+/.exec(text); if (match) found(match[0]); });
    child.on("exit", () => failed(new Error(`the server ended: ${text}`)));
  });
  return { address, pid: child.pid, port: Number(new URL(address).port), end: () => new Promise((done) => { child.removeAllListeners("exit"); child.on("exit", done); child.kill("SIGKILL"); }) };
}

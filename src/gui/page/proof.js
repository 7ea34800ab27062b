// The proof of the shown position: its progress, its result and its certificate.

import { byId, element, grouped } from "./dom.js";
import { t } from "./texts.js";
import { boundsText } from "./values.js";
import { actions, button, download } from "./widgets.js";

const PROOF_MS = 3_600_000;

export class Proof {
  /** @type {AbortController | null} */
  #proving = null;
  #app;
  #play;

  /** `play` plays the best move. */
  constructor(/** @type {App} */ app, /** @type {(move: string) => void} */ play) {
    this.#app = app;
    this.#play = play;
  }

  /** Starts or stops the proof of the shown position. */
  async toggle() {
    const app = this.#app;
    if (this.#proving) return this.#proving.abort();
    const controller = (this.#proving = new AbortController());
    const isRunning = () => this.#proving === controller;
    const show = (/** @type {string} */ text) => {
      if (isRunning()) box.textContent = text;
    };
    const [box, label] = [byId("proof"), byId("prove").querySelector("span")];
    label.textContent = t("prove.stop");
    box.ariaBusy = "true";
    try {
      const answer = await app.connection.ask(
        "prove",
        { setup: app.session.setup, ms: PROOF_MS, memory: 64, certificate: true },
        {
          signal: controller.signal,
          onProgress: (progress) =>
            show(
              t("prove.progress", {
                ...progress,
                nodes: grouped(progress.nodes),
                seconds: Math.round(progress.seconds),
              }) +
                (progress.target
                  ? t("prove.numbers", {
                      target: t(`prove.${progress.target}`),
                      proof: grouped(progress.proof),
                      disproof: grouped(progress.disproof),
                    })
                  : ""),
            ),
        },
      );
      if (isRunning()) this.#show(box, answer);
    } catch (error) {
      show(controller.signal.aborted ? t("prove.stopped") : /** @type {Error} */ (error).message);
    }
    if (isRunning()) this.#proving = null;
    if (this.#proving) return;
    label.textContent = t("prove.start");
    box.ariaBusy = "false";
  }

  /** Shows what was proven, the best move, the effort and, where there is one, the certificate. */
  #show(/** @type {HTMLElement} */ box, /** @type {ProofAnswer} */ answer) {
    const { value, text, best, nodes, seconds, certificate } = answer;
    const { game } = this.#app.session.tree;
    box.replaceChildren(
      element("strong", {}, value ? t("prove.value", { value: text ?? "" }) : boundsText(answer)),
      " ",
      ...(best
        ? [t("prove.best"), " ", button(best, () => this.#play(best), { class: "move", id: "proof-best" }), " "]
        : []),
      t("prove.effort", { nodes: grouped(nodes), seconds: seconds.toFixed(2) }),
      ...(certificate
        ? [
            actions(
              button(
                t("prove.certificate"),
                () =>
                  download(`${game}.cert`, new Blob([Uint8Array.from(certificate, (letter) => letter.charCodeAt(0))])),
                { icon: "save", id: "save-certificate" },
              ),
            ),
          ]
        : []),
    );
  }

  /** Ends a proof that is no longer about the shown position. */
  drop() {
    this.#proving?.abort();
    this.#proving = null;
  }
}

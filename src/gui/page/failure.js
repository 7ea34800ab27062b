// What the page shows when it cannot go on.

import { byId } from "./dom.js";
import { forgetStored } from "./storage.js";
import { t } from "./texts.js";
import { button } from "./widgets.js";

export function showFailure(/** @type {Error} */ { message }) {
  Object.assign(byId("banner"), { hidden: false, textContent: message });
}

/** Offers to start without what was stored, and without the link, since either may be why the page cannot start. */
export function showStartFailure(/** @type {Error} */ error) {
  showFailure(error);
  const startAfresh = () => {
    forgetStored();
    location.replace(location.pathname + location.search);
  };
  byId("banner").append(" ", button(t("start.afresh"), startAfresh, { id: "start-afresh" }));
}

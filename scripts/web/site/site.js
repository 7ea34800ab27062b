// What only the static site has: the service worker, and a line about the program.

import { ENGINE, prepare } from "./transport.js";

// The engine is compiled while the page loads.
prepare();

// It keeps the files once the page has started. Without a service worker, in a private window for instance, the page works as
// long as it is online.
addEventListener("load", () => setTimeout(() => {
  navigator.serviceWorker?.register(new URL(`service_worker.js?engine=${ENGINE}`, import.meta.url)).catch(() => {});
}, 1000));

const ABOUT = {
  en: "This page runs in your browser, on one thread. The program plays against other engines, shows running matches and uses all cores: cargo install --locked --path . in its source.",
  "zh-Hans": "本页面在浏览器中以单线程运行。安装程序后可与其他引擎对局、观看比赛并使用全部核心：在源代码目录中运行 cargo install --locked --path .",
};

const DOCUMENTATION = { en: "Documentation", "zh-Hans": "文档（英文）" };

const about = document.createElement("p");
about.className = "note";
about.id = "about-program";
function showAbout() {
  const { lang } = document.documentElement;
  about.lang = lang;
  const link = document.createElement("a");
  link.href = new URL("docs/index.html", import.meta.url);
  link.textContent = DOCUMENTATION[lang] ?? DOCUMENTATION.en;
  about.replaceChildren(ABOUT[lang] ?? ABOUT.en, " ", link);
}
showAbout();
new MutationObserver(showAbout).observe(document.documentElement, { attributeFilter: ["lang"] });
document.getElementById("stage")?.append(about);

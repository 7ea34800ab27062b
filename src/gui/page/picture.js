// The board as a picture of its own.

import { shape } from "./dom.js";

/** The properties of a picture that style sheets set. */
const DRAWN = [
  "fill",
  "fill-opacity",
  "stroke",
  "stroke-width",
  "stroke-opacity",
  "stroke-linecap",
  "stroke-dasharray",
  "opacity",
  "font-family",
  "font-weight",
];

/** Returns a board of this page as an SVG document with its colours. */
export function pictureOf(/** @type {SVGSVGElement} */ svg) {
  const copy = /** @type {SVGSVGElement} */ (svg.cloneNode(true));
  const shown = svg.querySelectorAll("*");
  copy.querySelectorAll("*").forEach((node, at) => {
    const style = getComputedStyle(/** @type {Element} */ (shown[at]));
    for (const name of DRAWN) node.setAttribute(name, style.getPropertyValue(name));
    for (const name of ["class", "role", "tabindex", "aria-label", "style"]) node.removeAttribute(name);
    if (node instanceof SVGElement && "spot" in node.dataset) node.remove();
  });
  const { x, y, width, height } = svg.viewBox.baseVal;
  for (const name of ["class", "style", "role", "aria-label"]) copy.removeAttribute(name);
  for (const [name, value] of Object.entries({
    xmlns: "http://www.w3.org/2000/svg",
    width: 60 * width,
    height: 60 * height,
  }))
    copy.setAttribute(name, `${value}`);
  copy.prepend(shape("rect", { x, y, width, height, fill: getComputedStyle(svg).backgroundColor }));
  return new XMLSerializer().serializeToString(copy);
}

// Where the files of the package are. The site has another one, since there all are in one folder (scripts/web/site/files.js).

/** The address of an engine or of weights, which are a package of their own, installed beside this one. */
export const fileAddress = (name) => new URL(name.endsWith(".eval") ? `../zermelo-engine-weights/${name}` : name, import.meta.url);

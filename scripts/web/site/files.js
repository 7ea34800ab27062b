// Where the files of the site are: all in one folder.

export const fileAddress = (name) => new URL(name, import.meta.url);

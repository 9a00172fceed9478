/** Parses a config's text. */
export type ConfigReader = (text: string) => unknown | Promise<unknown>;

let usualReader: ConfigReader = JSON.parse;

/** Sets the default config reader of all viewers. */
export function useConfigReader(reader: ConfigReader): void {
	usualReader = reader;
}

/** Parses a config with the default reader. */
export const usualConfig: ConfigReader = (text) => usualReader(text);

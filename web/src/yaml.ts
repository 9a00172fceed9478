/** Entry `bevscope/yaml`: L5Kit's configs as YAML. */

import { parse } from "yaml";
import { BevError, messageOf } from "./base/errors.js";

/** Parses a config for `EgoDataset` and `AgentDataset` from YAML or JSON text. */
export function parseConfig(text: string): Readonly<Record<string, unknown>> {
	const config = parsed(text);
	if (typeof config === "object" && config !== null && !Array.isArray(config)) {
		return config as Readonly<Record<string, unknown>>;
	}
	const found = Array.isArray(config) ? "a list" : JSON.stringify(config);
	throw new BevError(
		"invalid_argument",
		`config: invalid structure (found ${found}, expected sections of keys)`,
	);
}

/** Parses YAML 1.1; the last of duplicate keys wins, as in PyYAML. */
function parsed(text: string): unknown {
	try {
		return parse(text, { version: "1.1", uniqueKeys: false });
	} catch (error) {
		throw new BevError("invalid_argument", `config: ${messageOf(error)}`, {
			cause: error,
		});
	}
}

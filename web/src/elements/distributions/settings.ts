import type { Brush } from "../../reviewing/remote-distribution.js";

/** What the rows are. */
export const TABLES = [
	"predictions",
	"scenes",
	"tracks",
	"submissions",
	"futures",
] as const;
export type TableName = (typeof TABLES)[number];

/** Returns whether the rows are of submissions to challenges: scenarios, or futures. */
export function areScores(table: TableName): table is "submissions" | "futures" {
	return table === "submissions" || table === "futures";
}

/** What the panel shows. */
export interface Settings {
	readonly table: TableName;
	/** The column of categories that bars are divided by. */
	readonly by: string | undefined;
	/** The column that the means and the list are of. */
	readonly on: string | undefined;
	/** Whether box plots are shown instead of bars. */
	readonly boxes: boolean;
	/** Columns of the scatter plot. */
	readonly scatter: readonly [x: string, y: string] | undefined;
	readonly brushes: ReadonlyMap<string, Brush>;
}

export const USUAL: Settings = {
	table: "predictions",
	by: undefined,
	on: undefined,
	boxes: false,
	scatter: undefined,
	brushes: new Map(),
};

const NAME = /^[a-z][a-z_0-9]{0,39}$/;
const NUMBER = /^-?\d+(\.\d+)?(e[+-]?\d{1,3})?$/;

function numberIn(text: string): number | undefined {
	return NUMBER.test(text) ? Number(text) : undefined;
}

function brushIn(text: string): Brush | undefined {
	const missing = text.endsWith("?");
	const rest = missing ? text.slice(0, -1) : text;
	if (rest === "") return missing ? { low: 0, high: 0, missing } : undefined;
	if (/^\d{1,2}(,\d{1,2})*$/.test(rest)) {
		return { chosen: rest.split(",").map(Number), missing };
	}
	const [from, to, ...others] = rest.split("~");
	if (from === undefined || to === undefined || others.length > 0) return undefined;
	const [low, high] = [numberIn(from), numberIn(to)];
	const valid = (part: string, value: unknown) => part === "" || value !== undefined;
	if (!valid(from, low) || !valid(to, high)) return undefined;
	if (low === undefined && high === undefined) return undefined;
	if (low !== undefined && high !== undefined && !(low < high)) return undefined;
	return { low, high, missing };
}

function brushText({ low, high, chosen, missing }: Brush): string {
	const mark = missing ? "?" : "";
	if (chosen) return `${chosen.join(",")}${mark}`;
	if (low !== undefined && low === high) return mark;
	return `${low ?? ""}~${high ?? ""}${mark}`;
}

/** Parses the text of links; also returns the parts that are not understood. */
export function parseSettings(text: string): {
	readonly settings: Settings;
	readonly bad: readonly string[];
} {
	const [name = "", ...parts] = text === "" ? ["predictions"] : text.split(";");
	const table = TABLES.find((one) => one === name);
	let settings: Settings = { ...USUAL, table: table ?? USUAL.table };
	const brushes = new Map<string, Brush>();
	const bad = table ? [] : [name];
	for (const part of parts) {
		const [, key = "", value = ""] = /^([^=]*)=?(.*)$/.exec(part) ?? [];
		const brush = key.startsWith("b.") ? brushIn(value) : undefined;
		const [x = "", y = "", ...more] = value.split(",");
		if (part === "boxes") settings = { ...settings, boxes: true };
		else if ((key === "by" || key === "on") && NAME.test(value))
			settings = { ...settings, [key]: value };
		else if (key === "xy" && NAME.test(x) && NAME.test(y) && more.length === 0)
			settings = { ...settings, scatter: [x, y] };
		else if (brush && NAME.test(key.slice(2))) brushes.set(key.slice(2), brush);
		else bad.push(part);
	}
	return { settings: { ...settings, brushes }, bad };
}

/** Returns the text for links; empty for the usual settings. */
export function formatSettings(settings: Settings): string {
	const { table, by, on, boxes, scatter, brushes } = settings;
	const parts = [
		...(by ? [`by=${by}`] : []),
		...(on ? [`on=${on}`] : []),
		...(boxes ? ["boxes"] : []),
		...(scatter ? [`xy=${scatter.join(",")}`] : []),
		...[...brushes].map(([name, brush]) => `b.${name}=${brushText(brush)}`),
	];
	if (table === USUAL.table && parts.length === 0) return "";
	return [table, ...parts].join(";");
}

import { isChart } from "../plots/plots-state.js";
import type { Selection } from "../scene-view/picking.js";
import type { ViewerController } from "../session/controller.js";
import { MAX_ROWS, type RowKey } from "./timeline-state.js";

/** What a row shows. */
export type Row =
	| {
			readonly kind: "quantity";
			/** A quantity of the plots. */
			readonly name: string;
			/** Undefined for the ego vehicle and the selection. */
			readonly who: Selection | undefined;
	  }
	/** The ranking measure of a model, by its number from 1. */
	| { readonly kind: "error"; readonly model: number }
	/** Where a fact of the scene or of a track happens. */
	| {
			readonly kind: "fact";
			readonly name: string;
			/** Undefined for a fact of the scene. */
			readonly who: bigint | undefined;
	  };

const ERROR = /^error@([1-4])$/;
const FACT = /^fact:([a-z_]{1,40})(?:@(\d{1,20}))?$/;
const QUANTITY = /^([^@]+)(?:@(ego|\d{1,20}))?$/;

/** Parses a row's key; undefined if it is invalid. */
export function rowOf(key: RowKey): Row | undefined {
	const model = ERROR.exec(key)?.[1];
	if (model) return { kind: "error", model: Number(model) };
	const [, fact, track] = FACT.exec(key) ?? [];
	if (fact) return { kind: "fact", name: fact, who: track ? BigInt(track) : undefined };
	const [, name = "", of] = QUANTITY.exec(key) ?? [];
	if (!isChart(name)) return undefined;
	const who = of === undefined || of === "ego" ? of : BigInt(of);
	return { kind: "quantity", name, who };
}

/** Returns the key of a row. */
export function keyOf(row: Row): RowKey {
	if (row.kind === "error") return `error@${row.model}`;
	const name = row.kind === "fact" ? `fact:${row.name}` : row.name;
	return row.who === undefined ? name : `${name}@${row.who}`;
}

/** Returns the rows with one moved by `by` places, as far as there are any. */
export function moved(
	rows: readonly RowKey[],
	key: RowKey,
	by: number,
): readonly RowKey[] {
	const from = rows.indexOf(key);
	const to = Math.min(rows.length - 1, Math.max(0, from + by));
	if (from < 0 || to === from) return rows;
	const others = rows.filter((one) => one !== key);
	return [...others.slice(0, to), key, ...others.slice(to)];
}

/** Returns the rows with `key` added at the end, or without it. */
export function toggledRow(rows: readonly RowKey[], key: RowKey): readonly RowKey[] {
	return rows.includes(key) ? rows.filter((one) => one !== key) : [...rows, key];
}

/** Sets the rows of the timeline, in order. */
export function setRows(
	controller: ViewerController | undefined,
	rows: readonly RowKey[],
): void {
	controller?.store.patch({ rows: rows.slice(0, MAX_ROWS) });
}

import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

/** Words, and numbers with their digits after the point. */
export type Text =
	| string
	| readonly (string | readonly [value: number, digits: number])[];

export type Texts = readonly Text[];

/** A cell of a saved table; null for an empty one. */
export type Cell = string | number | null;

/** Rounding to single precision, in which some of the displayed numbers are kept. */
const SINGLE = 2 ** -24;

/** Runs `oracle.py`, which shares no code with bevscope. */
export function oracle<T>(python: string, ...args: readonly string[]): T {
	const script = fileURLToPath(new URL("oracle.py", import.meta.url));
	const json = execFileSync(python, ["-B", script, ...args], { maxBuffer: 2 ** 28 });
	return JSON.parse(json.toString()) as T;
}

/** Returns whether a text displays the expected words and numbers, to its last digit. */
function displays(shown: string, expected: Text): boolean {
	const parts = typeof expected === "string" ? [expected] : expected;
	const pattern = parts.map((part) => {
		if (typeof part === "string") return part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
		return part[1] > 0 ? `(-?\\d+\\.\\d{${part[1]}})` : "(-?\\d+)";
	});
	const found = new RegExp(`^${pattern.join("")}$`).exec(shown);
	const numbers = parts.filter((part) => typeof part !== "string");
	return (
		found !== null &&
		numbers.every(([value, digits], i) => {
			const far = Math.abs(Number(found[i + 1]) - value);
			return far <= (0.5 + 1e-9) * 10 ** -digits + SINGLE * Math.abs(value);
		})
	);
}

/** Counts the displayed values that were compared, and keeps those that differ. */
export class Comparison {
	values = 0;
	readonly differences: string[] = [];
	readonly #rows = new Set<number>();

	/** Notes that rows of the list of verified facts were compared. */
	covers(first: number, last = first): void {
		for (let row = first; row <= last; row += 1) this.#rows.add(row);
	}

	/** Compares displayed texts, in order. */
	texts(what: string, shown: readonly string[], expected: Texts): void {
		for (let i = 0; i < Math.max(shown.length, expected.length); i += 1) {
			const [one, other] = [shown[i], expected[i]];
			const numbers = Array.isArray(other) ? other.filter(Array.isArray).length : 0;
			this.values += Math.max(1, numbers);
			const text = one?.replace(/\s+/g, " ").replaceAll("−", "-").trim();
			if (text === undefined || other === undefined || !displays(text, other))
				this.#differ(what, one, other);
		}
	}

	/**
	 * Compares cells of a saved table.
	 *
	 * @param tolerance of a column, relative to values above 1
	 */
	cells(
		what: string,
		shown: readonly (readonly string[])[],
		expected: readonly (readonly Cell[])[],
		tolerance: (column: number) => number,
	): void {
		if (shown.length !== expected.length)
			this.#differ(`rows of ${what}`, shown.length, expected.length);
		for (const [row, cells] of expected.entries())
			for (const [column, cell] of cells.entries()) {
				this.values += 1;
				const text = shown[row]?.[column];
				const isEqual =
					typeof cell === "number"
						? text !== "" &&
							Math.abs(Number(text) - cell) <=
								tolerance(column) * Math.max(1, Math.abs(cell))
						: text === (cell ?? "");
				if (!isEqual) this.#differ(`${what}, row ${row}, column ${column}`, text, cell);
			}
	}

	/** Returns how much was compared. */
	get summary(): string {
		const rows = [...this.#rows].sort((a, b) => a - b);
		const ranges = rows.reduce<[number, number][]>((found, row) => {
			const last = found.at(-1);
			if (last && last[1] === row - 1) last[1] = row;
			else found.push([row, row]);
			return found;
		}, []);
		const words = ranges.map(([a, b]) => (a === b ? `${a}` : `${a}-${b}`));
		return `compared ${this.values.toLocaleString("en")} shown values, rows ${words.join(", ")}`;
	}

	#differ(what: string, shown: unknown, expected: unknown): void {
		const [one, other] = [JSON.stringify(shown), JSON.stringify(expected)];
		this.differences.push(`${what}: shown ${one}, computed ${other}`);
	}
}

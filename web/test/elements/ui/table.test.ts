import { describe, expect, it } from "vitest";
import {
	type Column,
	compared,
	movedTo,
	type Sort,
	sortBy,
	type Table,
	TabStop,
	table,
} from "../../../src/elements/ui/table.js";
import { type Handlers, rendered } from "../../support/rendered.js";

interface Car {
	readonly name: string;
	readonly speed: number;
}

const CARS: readonly Car[] = [
	{ name: "a", speed: 3 },
	{ name: "b", speed: 5 },
];

const COLUMNS: readonly Column<Car>[] = [
	{ name: "Car", heads: true, cell: ({ name }) => name },
	{ name: "m/s", kind: "number", title: "Speed", cell: ({ speed }) => speed },
];

const PRESSED: readonly Column<Car>[] = [
	{ name: "Car", cells: "", cell: ({ name }) => name },
];

const show = (it: Partial<Table<Car, string>>, handlers?: Handlers): string =>
	rendered(table({ columns: COLUMNS, rows: CARS, ...it }), handlers).replaceAll(
		"> <",
		"><",
	);

/** Buttons of a table body, of which one has the focus. */
function body(count: number, focused: number) {
	const buttons = Array.from({ length: count }, (_, i) => ({
		focus: () => {
			state.focused = i;
		},
	}));
	const state = { focused };
	const event = (key: string, more: object = {}) => ({
		...{ key, altKey: false, ctrlKey: false, metaKey: false, shiftKey: false },
		currentTarget: { querySelectorAll: () => buttons },
		target: buttons[state.focused],
		prevented: false,
		preventDefault() {
			this.prevented = true;
		},
		...more,
	});
	return { state, event };
}

/** An element that counts its updates. */
class Host {
	updates = 0;
	readonly updateComplete = Promise.resolve(true);
	addController(): void {}
	removeController(): void {}
	requestUpdate(): void {
		this.updates += 1;
	}
}

describe("table", () => {
	it("has headings of columns and rows, and cells", () => {
		expect(show({ label: "Cars" })).toBe(
			'<table aria-label="Cars"><thead><tr>' +
				'<th scope="col">Car</th><th scope="col" class="number" title="Speed">m/s</th>' +
				"</tr></thead><tbody>" +
				'<tr><th scope="row">a</th><td class="mono number">3</td></tr>' +
				'<tr><th scope="row">b</th><td class="mono number">5</td></tr>' +
				"</tbody></table>",
		);
	});

	it("has no head without names, and a caption", () => {
		const text = show({ columns: [{ cell: ({ name }) => name }], caption: "All" });
		expect(text).toContain('<table><caption class="mono">All</caption><tbody>');
	});

	it("has groups of rows below headings", () => {
		const groups = [
			{ name: "Slow", rows: CARS.slice(0, 1) },
			{ name: "Fast", rows: CARS.slice(1) },
		];
		const text = show({ groups });
		expect(text.match(/<tbody>/g)).toHaveLength(2);
		expect(text).toContain('<th scope="rowgroup" colspan="2">Fast</th>');
	});

	it("says what is selected and displayed", () => {
		const text = show({
			state: ({ name, speed }) => ({
				...{ id: name, title: `Car ${name}`, className: "x" },
				...{ chosen: name === "a", current: speed === 5 },
			}),
		});
		expect(text).toContain('<tr id="a" title="Car a" class="x chosen">');
		expect(text).toContain('<tr id="b" title="Car b" class="x" aria-current="true">');
	});

	it("has a button per row that can be pressed, each a tab stop", () => {
		const handlers: Handlers = {};
		const pressed: string[] = [];
		const text = show(
			{
				columns: PRESSED,
				state: ({ name }) => ({ label: `Car ${name}`, chosen: name === "b" }),
				press: ({ name }) => pressed.push(name),
			},
			handlers,
		);
		expect(text).toContain(
			'<button aria-label="Car a" aria-pressed="false">a</button>',
		);
		expect(text).toContain('<button aria-label="Car b" aria-pressed="true">b</button>');
		for (const press of handlers["@click"] ?? []) press(undefined as never);
		expect(pressed).toEqual(["a", "b"]);
	});

	it("is a grid of one tab stop", () => {
		const stop = new TabStop<string>(new Host());
		const it = {
			columns: PRESSED,
			stop,
			key: ({ name }: Car) => name,
			press: () => {},
		};
		const text = show({ ...it, state: ({ name }) => ({ chosen: name === "b" }) });
		expect(text).toContain('<table role="grid">');
		expect(text).toContain('<tr aria-selected="false"><td><button tabindex="0">a');
		expect(text).toContain('aria-selected="true"><td><button tabindex="-1">b');
	});

	it("is a grid with the focus, of rows among many", () => {
		const text = show({
			...{ columns: PRESSED, onKey: () => {}, press: () => {} },
			...{ active: "row-b", count: 3000, begin: 100 },
		});
		expect(text).toContain(
			'<table role="grid" aria-rowcount="3001" tabindex="0" aria-activedescendant="row-b">',
		);
		expect(text).toContain('<tr aria-rowindex="102"><td>a</td></tr>');
		expect(text).not.toContain("<button");
		expect(show({ count: -1 })).toContain('aria-rowcount="-1"');
	});

	it("tells which row the pointer is over", () => {
		const handlers: Handlers = {};
		const seen: (string | undefined)[] = [];
		show({ hover: (row) => seen.push(row?.name) }, handlers);
		handlers["@pointerenter"]?.[1]?.(undefined as never);
		handlers["@pointerleave"]?.[1]?.(undefined as never);
		expect(seen).toEqual(["b", undefined]);
	});
});

describe("sortBy", () => {
	it("begins ascending, and turns the order when pressed again", () => {
		let sort: Sort<string> = { key: "speed", descending: false };
		const column = (key: string) =>
			sortBy(key, sort, (to) => {
				sort = to;
			});
		expect(column("name").order).toBe("none");
		expect(column("speed").order).toBe("ascending");
		column("speed").sort?.();
		expect(sort).toEqual({ key: "speed", descending: true });
		expect(column("speed").order).toBe("descending");
		column("speed").sort?.();
		expect(sort).toEqual({ key: "speed", descending: false });
		column("name").sort?.();
		expect(sort).toEqual({ key: "name", descending: false });
	});

	it("is shown by the heading", () => {
		const { order, sort } = sortBy("m/s", { key: "m/s", descending: true }, () => {});
		const text = show({ columns: [{ name: "m/s", order, sort, cell: () => "" }] });
		expect(text).toMatch(/<th scope="col" aria-sort="descending"><button>m\/s<svg/);
	});
});

describe("compared", () => {
	it("sorts in both directions, unknown numbers last", () => {
		const sorted = (descending: boolean) =>
			[2, Number.NaN, 1, 3].sort((a, b) => compared(a, b, descending));
		expect(sorted(false)).toEqual([1, 2, 3, Number.NaN]);
		expect(sorted(true)).toEqual([3, 2, 1, Number.NaN]);
		expect(compared("a", "b")).toBe(-1);
		expect(compared(2n, 2n)).toBe(0);
	});
});

describe("movedTo", () => {
	it("moves by rows and screens, within the rows", () => {
		const to = (key: string, at: number) => movedTo(key, at, { total: 30, screen: 12 });
		expect(to("ArrowDown", 3)).toBe(4);
		expect(to("ArrowUp", 0)).toBe(0);
		expect(to("ArrowUp", 1)).toBe(0);
		expect(to("PageDown", 3)).toBe(15);
		expect(to("PageDown", 25)).toBe(29);
		expect(to("PageUp", 25)).toBe(13);
		expect(to("Home", 25)).toBe(0);
		expect(to("End", 25)).toBe(29);
		expect(to("a", 25)).toBeUndefined();
		expect(to("toString", 25)).toBeUndefined();
	});
});

describe("TabStop", () => {
	it("is the first row, then the focused one", () => {
		const it = new Host();
		const stop = new TabStop<string>(it);
		expect(stop.among(["a", "b", "c"])).toBe(0);
		stop.onFocus(body(3, 2).event("") as never);
		expect(it.updates).toBe(1);
		expect(stop.among(["a", "b", "c"])).toBe(2);
		expect(stop.among(["c", "a", "b"])).toBe(0);
	});

	it("is the row in the place of a removed one", () => {
		const stop = new TabStop<string>(new Host());
		stop.among(["a", "b", "c"]);
		stop.onFocus(body(3, 1).event("") as never);
		expect(stop.among(["a", "c", "d"])).toBe(1);
		expect(stop.among(["a"])).toBe(0);
		expect(stop.among([])).toBe(-1);
		expect(stop.among(["e", "f"])).toBe(0);
	});

	it("moves the focus by keys, and tells the row", () => {
		const moved: string[] = [];
		const stop = new TabStop<string>(new Host(), (key) => moved.push(key));
		stop.among(["a", "b", "c"]);
		const { state, event } = body(3, 0);
		const press = (key: string, more?: object) => {
			const one = event(key, more);
			stop.onKey(one as never);
			return one.prevented;
		};
		expect(press("ArrowDown")).toBe(true);
		expect(press("End")).toBe(true);
		expect(press("ArrowDown")).toBe(true);
		expect(moved).toEqual(["b", "c", "c"]);
		expect(press("x")).toBe(false);
		expect(press("Home", { ctrlKey: true })).toBe(false);
		expect(state.focused).toBe(2);
	});
});

import { describe, expect, it } from "vitest";
import type { PatchEdit } from "../../../src/dataset/patch.js";
import {
	type Edits,
	editsInPatch,
	editsOf,
	patchOf,
	scenesOf,
	textOf,
	withEdit,
	withoutEdit,
} from "../../../src/elements/edits/edit-list.js";
import { editWords } from "../../../src/elements/edits/edit-words.js";
import { History } from "../../../src/elements/session/history.js";

const move = (track: number, x: number, turn = 0, from?: number): PatchEdit => ({
	...{ op: "move", scene: 0, track, by: [x, 0], turn },
	...(from !== undefined && { from }),
});
const ADD: PatchEdit = {
	...{ op: "add", scene: 0, track: 900, label: "CAR", extent: [4, 2, 1] },
	path: [[0, 5, 6, 1]],
};

const all = (...edits: PatchEdit[]): Edits => edits.reduce(withEdit, [] as Edits);

describe("edits/edit-list", () => {
	it("joins moves of the same frames, and drops what changes nothing", () => {
		expect(all(move(1, 1), move(1, 0.5, 0.25))).toEqual([
			{ op: "move", scene: 0, track: 1, by: [1.5, 0], turn: 0.25 },
		]);
		expect(all(move(1, 1), move(1, -1))).toEqual([]);
		expect(all(move(1, 1), move(2, 1), move(1, 1))).toHaveLength(3);
		expect(all(move(1, 1), move(1, 1, 0, 7))).toHaveLength(2);
		expect(all(move(1, 1), { ...move(1, 1), in: "track" } as PatchEdit)).toHaveLength(
			2,
		);
		expect(all(move(1, 0, 3), move(1, 0, 3))[0]).toMatchObject({ turn: -0.2832 });
	});

	it("joins speeds, replaces stops and states of a face", () => {
		const faster: PatchEdit = { op: "retime", scene: 0, track: 1, factor: 1.25 };
		expect(all(faster, faster)).toEqual([{ ...faster, factor: 1.5625 }]);
		expect(all(faster, { ...faster, factor: 0.8 })).toEqual([]);
		const stop: PatchEdit = { op: "stop", scene: 0, track: "ego", from: 3 };
		expect(all(stop, { ...stop, deceleration: 8 })).toEqual([
			{ ...stop, deceleration: 8 },
		]);
		const light: PatchEdit = { op: "light", scene: 0, face: "a", state: "active" };
		const dark: PatchEdit = { ...light, state: "inactive" };
		expect(all(light, stop, dark)).toEqual([stop, dark]);
		expect(all(light, { ...dark, face: "b" })).toHaveLength(2);
	});

	it("moves an added agent where it stands; removing it leaves no edit", () => {
		const moved = all(ADD, move(900, 1, 0.5));
		expect(moved).toEqual([{ ...ADD, path: [[0, 6, 6, 1.5]] }]);
		const remove: PatchEdit = { op: "remove", scene: 0, track: 900 };
		expect(all(ADD, move(1, 1), move(900, 1), remove)).toEqual(
			[move(1, 1)].reduce(withEdit, [] as Edits),
		);
		expect(withoutEdit(all(ADD, move(1, 1), move(900, 2)), 0)).toHaveLength(1);
		expect(withoutEdit(all(move(1, 1), move(2, 1)), 0)).toHaveLength(1);
		expect(all({ ...remove, track: 3 })).toHaveLength(1);
	});

	it("is a text in links, and a document", () => {
		const edits = all(move(1, 1), ADD, {
			...{ op: "light", scene: 2, face: "Ampel-ä", state: "unknown" },
		});
		const text = textOf(edits);
		expect(text).toMatch(/^[\w-]+$/);
		expect(editsOf(text)).toEqual(edits);
		expect(textOf([])).toBe("");
		expect(editsOf("")).toEqual([]);
		expect(scenesOf(edits)).toEqual(new Set([0, 2]));
		expect(editsInPatch(JSON.stringify(patchOf(edits)))).toEqual(edits);
		expect(editsInPatch(patchOf(edits))).toEqual(edits);
	});

	it("has a text of its own that links cannot carry, if it is long", () => {
		const path = Array.from({ length: 200 }, (_, k) => [k, k, 2 * k, 0.5] as const);
		const long = [{ ...ADD, path } as PatchEdit];
		const text = textOf(long);
		expect(text).toMatch(/^long:1-[0-9a-z]+$/);
		expect(editsOf(text)).toBe(long);
		expect(textOf([...long])).toBe(text);
		expect(textOf([...long, move(1, 1)])).not.toBe(text);
		expect(() => editsOf("long:1-abc")).toThrow("the link lacks its edits");
	});

	it.each([
		["", "patch: "],
		[
			"{}",
			"patch: unknown document (found undefined undefined, expected bevscope-patch 1)",
		],
		['{"format": "bevscope-patch", "version": 2}', "found bevscope-patch 2"],
		['{"format": "bevscope-patch", "version": 1, "edits": 3}', "patch: edits: invalid"],
		[
			'{"format": "bevscope-patch", "version": 1, "edits": [3]}',
			"patch: edits: invalid",
		],
		["null", "patch: unknown document"],
		[" ".repeat(2 ** 20 + 1), "patch: too large"],
	])("refuses the document %#", (text, message) => {
		expect(() => editsInPatch(text)).toThrow(message);
	});

	it.each(["%", "abc", btoa("3"), btoa("\xff\xff")])("refuses the text %s", (text) => {
		expect(() => editsOf(text)).toThrow("patch: ");
	});

	it("1,000 random edits undone give the first patch, redone the last", () => {
		let seed = 7;
		const random = (below: number): number => {
			seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
			return Math.floor((seed / 2 ** 31) * below);
		};
		const first = textOf(all(move(1, 3), ADD));
		const history = new History(first);
		const change = (): void => {
			const [track, scene] = [random(5), random(2)];
			const kinds: PatchEdit[] = [
				{ ...move(track, random(9) - 4, random(3) / 10), scene } as PatchEdit,
				{ op: "stop", scene, track, from: random(4) },
				{ op: "retime", scene, track, factor: 0.5 + random(4) / 2 },
				{ op: "remove", scene, track: 900 + random(3) },
				{ ...ADD, scene, track: 900 + random(3) },
				{ op: "light", scene, face: `f${random(3)}`, state: "active" },
			];
			const edits = editsOf(history.present);
			const kind = kinds[random(kinds.length + 1)];
			const at = random(Math.max(1, edits.length));
			history.change(textOf(kind ? withEdit(edits, kind) : withoutEdit(edits, at)));
		};
		for (let round = 0; round < 10; round += 1) {
			for (let k = 0; k < 100; k += 1) change();
			const last = history.present;
			for (let k = 0; k < 100; k += 1) history.undo();
			expect(history.present).toBe(first);
			for (let k = 0; k < 100; k += 1) history.redo();
			expect(history.present).toBe(last);
			for (let k = 0; k < 100; k += 1) history.undo();
		}
		expect(editsOf(first)).toEqual(all(move(1, 3), ADD));
	});

	it("is said in words", () => {
		const words = (edit: PatchEdit) => editWords(edit);
		expect(words(move(17, 3.2, Math.PI / 18, 40))).toBe(
			"Track 17: moved 3.20 m, turned 10.0° from frame 40",
		);
		expect(words({ op: "stop", scene: 0, track: "ego", from: 2, to: 9 })).toBe(
			"Ego: stops at 3.0 m/s² in frames 2 to 8",
		);
		expect(words({ op: "retime", scene: 0, track: 3, factor: 0.8 })).toBe(
			"Track 3: drives 0.80 times as fast",
		);
		expect(words({ op: "remove", scene: 0, track: 3 })).toBe("Track 3: removed");
		expect(words(ADD)).toBe("Track 900: added");
		expect(words({ op: "light", scene: 0, face: "f", state: "active" })).toBe(
			"Face f: active",
		);
		expect(words({ op: "move", scene: 0, track: 1 })).toBe("Track 1: moved");
	});
});

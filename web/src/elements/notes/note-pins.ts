import type { PageLayer, PageLayerView } from "../draw/page-layer.js";
import type { Point } from "../scene-view/camera.js";
import type { ViewerState } from "../session/state.js";
import type { Note } from "./note.js";

/** Colours of pins, visible on both grounds. */
const FILL = "#d9480f";
const INK = "#ffffff";

/** Half of a pin's height, and the distance from its place, in CSS pixels. */
const RADIUS = 9;
const STEM = 6;

/** A note with a place, and its number in the list of notes. */
export interface Pin {
	readonly note: Note;
	readonly number: number;
	/** World metres. */
	readonly place: Point;
}

/** Returns the notes in the order of the list: by scene, then by frame. */
export function inOrder(notes: readonly Note[]): readonly Note[] {
	const at = (note: Note) => note.frames?.[0] ?? -1;
	return [...notes].sort((a, b) => a.scene - b.scene || at(a) - at(b));
}

/** Returns the pins of the open scene. */
export function pinsOf({ notes, scene }: Pick<ViewerState, "notes" | "scene">): Pin[] {
	return inOrder(notes).flatMap((note, i) => {
		const [x = 0, y = 0] = note.place ?? [];
		const isHere = note.place && note.scene === scene;
		return isHere ? [{ note, number: i + 1, place: { x, y } }] : [];
	});
}

/** Returns the centre of a pin's head. */
function headOf({ place }: Pin, project: PageLayerView["project"]): Point {
	const { x, y } = project(place.x, place.y);
	return { x, y: y - RADIUS - STEM };
}

/** Returns the pin at a pixel; the last one drawn if there are several. */
export function pinAt(
	pins: readonly Pin[],
	{ x, y }: Point,
	project: PageLayerView["project"],
): Pin | undefined {
	return [...pins].reverse().find((pin) => {
		const head = headOf(pin, project);
		return Math.hypot(head.x - x, head.y - y) <= RADIUS + 2;
	});
}

/** Returns a layer of pins with their numbers. */
export function pinLayer(pins: readonly Pin[]): PageLayer {
	return {
		name: "numbers of notes",
		draw(context, { project }) {
			context.font = "600 11px system-ui, sans-serif";
			context.textAlign = "center";
			context.textBaseline = "middle";
			for (const pin of pins) {
				const { x, y } = headOf(pin, project);
				context.fillStyle = FILL;
				context.beginPath();
				context.moveTo(x, y + RADIUS + STEM);
				context.lineTo(x - 5, y + 6);
				context.lineTo(x + 5, y + 6);
				context.fill();
				context.beginPath();
				context.arc(x, y, RADIUS, 0, 2 * Math.PI);
				context.fill();
				context.fillStyle = INK;
				context.fillText(String(pin.number), x, y);
			}
		},
	};
}

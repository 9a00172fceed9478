import type { PatchEdit } from "../../dataset/patch.js";
import { formatAngle } from "../agents/describe.js";
import { formatNumber } from "../ui/words.js";

function frames({ from = 0, to }: PatchEdit): string {
	if (to !== undefined) return ` in frames ${from} to ${to - 1}`;
	return from > 0 ? ` from frame ${from}` : "";
}

function action(edit: PatchEdit): string {
	switch (edit.op) {
		case "move": {
			const [x, y] = edit.by ?? [0, 0];
			const far = Math.hypot(x, y);
			const moved = far > 0 ? `moved ${formatNumber(far, 2)} m` : "";
			const turned = edit.turn ? `turned ${formatAngle(edit.turn)}` : "";
			return [moved, turned].filter(Boolean).join(", ") || "moved";
		}
		case "stop":
			return `stops at ${formatNumber(edit.deceleration ?? 3, 1)} m/s²`;
		case "retime":
			return `drives ${formatNumber(edit.factor, 2)} times as fast`;
		case "remove":
			return "removed";
		case "add":
			return "added";
		case "light":
			return edit.state;
	}
}

/** Returns the words for an edit: `Track 17: moved 3.20 m from frame 40`. */
export function editWords(edit: PatchEdit): string {
	const who =
		edit.op === "light"
			? `Face ${edit.face}`
			: edit.track === "ego"
				? "Ego"
				: `Track ${edit.track}`;
	return `${who}: ${action(edit)}${frames(edit)}`;
}

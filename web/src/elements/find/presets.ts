import type { FindTable } from "./find-state.js";

/** A condition that a chip adds to the filter. */
export interface Preset {
	readonly name: string;
	readonly clause: string;
}

/** Common conditions, in the reader's filter language. */
export const PRESETS: Readonly<Record<FindTable, readonly Preset[]>> = {
	scenes: [
		{ name: "Hard braking", clause: "ego_hardest_brake < -3" },
		{ name: "Unprotected left", clause: "unprotected_left" },
		{ name: "Left turn", clause: "turn == 'left'" },
		{ name: "Right turn", clause: "turn == 'right'" },
		{ name: "Cut-in", clause: "cut_ins > 0" },
		{ name: "Close to collision", clause: "min_ttc < 2" },
		{
			name: "Close approach",
			clause: "(closest_pedestrian < 2 or closest_cyclist < 2)",
		},
		{ name: "Stationary", clause: "stationary > 0.9" },
		{ name: "Crosses on red", clause: "light == 'red'" },
		{ name: "Many pedestrians", clause: "pedestrians >= 10" },
	],
	tracks: [
		{ name: "Hard braking", clause: "hardest_brake < -3" },
		{ name: "Cut-in", clause: "cut_in" },
		{ name: "Close to collision", clause: "min_ttc < 2" },
		{ name: "Close approach", clause: "closest_ego < 2" },
		{ name: "Left turn", clause: "turn == 'left'" },
		{ name: "Right turn", clause: "turn == 'right'" },
		{ name: "U-turn", clause: "turn == 'u_turn'" },
		{ name: "Stationary", clause: "stationary > 0.9" },
		{ name: "Vehicle", clause: "class == 'VEHICLE'" },
		{ name: "Cyclist", clause: "class == 'CYCLIST'" },
		{ name: "Pedestrian", clause: "class == 'PEDESTRIAN'" },
	],
	agents: [
		{ name: "Fast", clause: "speed > 15" },
		{ name: "Near", clause: "distance_to_ego < 5" },
	],
	frames: [{ name: "Many agents", clause: "agent_count > 50" }],
};

const AND = " and ";

/** Returns whether the clause is one of those that `where` joins with `and`. */
export function hasClause(where: string, { clause }: Preset): boolean {
	return clausesOf(where).includes(clause);
}

/** Adds the clause to a filter, or removes it. */
export function toggled(where: string, preset: Preset): string {
	const clauses = clausesOf(where);
	if (clauses.includes(preset.clause)) {
		return clauses.filter((clause) => clause !== preset.clause).join(AND);
	}
	const before = where.trim();
	// `or` binds weaker than `and`.
	const kept = clauses.some((clause) => /\bor\b/.test(outside(clause)));
	return before === ""
		? preset.clause
		: `${kept ? `(${before})` : before}${AND}${preset.clause}`;
}

/** Returns the text outside parentheses and quotes. */
function outside(text: string): string {
	let inside = text;
	for (;;) {
		const less = inside.replace(/\([^()]*\)|'[^']*'|"[^"]*"/g, "");
		if (less === inside) return inside;
		inside = less;
	}
}

function clausesOf(where: string): readonly string[] {
	return where
		.trim()
		.split(AND)
		.filter((clause) => clause !== "");
}

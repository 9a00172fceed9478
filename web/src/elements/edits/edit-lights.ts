import type { LightEdit } from "../../dataset/patch.js";
import { faceColours, type LightColour } from "../map/lights.js";
import type { ViewerState } from "../session/state.js";
import { actionSpan } from "./edit-scope.js";

/** What a light can be set to; `lit` without a map, which knows the colours. */
export type SetState = LightColour | "lit" | "dark" | "unknown";

interface Face {
	readonly id: string;
	readonly colour: LightColour | undefined;
}

function facesOf({ shown, map }: ViewerState, light: string): Face[] {
	const colours = map && faceColours(map);
	const { face_id = [], traffic_light_id = [] } = shown?.lights ?? {};
	const ids = new Set(face_id.filter((_, i) => traffic_light_id[i] === light));
	return [...ids].map((id) => ({ id, colour: colours?.get(id) }));
}

/** Returns the lights of the displayed frame. */
export function lightsIn({ shown }: ViewerState): readonly string[] {
	return [...new Set(shown?.lights.traffic_light_id)].sort();
}

/** Returns the states that a light can be set to: its faces' colours, dark, unknown. */
export function statesOf(state: ViewerState, light: string): readonly SetState[] {
	const colours = facesOf(state, light).map(({ colour }) => colour ?? "lit");
	return [...new Set<SetState>(colours), "dark", "unknown"];
}

/** Sets a light from the displayed frame on: an edit for each of its faces. */
export function lit(state: ViewerState, light: string, to: SetState): LightEdit[] {
	const { shown, editing } = state;
	if (!shown) return [];
	const span = actionSpan(editing?.scope ?? "auto", shown.frame);
	const one = { op: "light", scene: shown.scene, ...span } as const;
	return facesOf(state, light).map(({ id: face, colour = "lit" }) => {
		const on = colour === to ? "active" : "inactive";
		return { ...one, face, state: to === "unknown" ? to : on };
	});
}

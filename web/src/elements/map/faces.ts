import type { FrameView } from "../../dataset/frame-view.js";

/** Returns the ids of a traffic light's faces in `frame`, sorted. */
export function facesOf({ lights }: FrameView, id: string): string[] {
	const own = lights.face_id.filter((_, i) => lights.traffic_light_id[i] === id);
	return [...new Set(own)].sort();
}

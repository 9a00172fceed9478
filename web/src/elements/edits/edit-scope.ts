/** The frames that an edit concerns. */
export const SCOPES = ["auto", "ease", "once", "scene"] as const;
export type Scope = (typeof SCOPES)[number];

/** Names of the scopes. */
export const SCOPE_WORDS: Readonly<Record<Scope, string>> = {
	auto: "Automatic",
	ease: "From this frame, gradually",
	once: "From this frame, at once",
	scene: "The whole scene",
};

/** Frames before an edit in which a move grows: 2 s of L5Kit's. */
export const EASE_FRAMES = 20;

/** Metres per second below which a road user stands. */
const STANDING = 0.5;

/** Where an edit is made. */
export interface EditPlace {
	/** The displayed frame. */
	readonly frame: number;
	/** The road user's speed in metres per second; NaN if unknown. */
	readonly speed: number;
}

/**
 * Returns the frames of a move. Automatic: the whole scene for what stands, from the
 * displayed frame on and gradually for what drives, so that no path has a jump.
 */
export function moveSpan(
	scope: Scope,
	{ frame, speed }: EditPlace,
): { readonly from?: number; readonly ease?: number } {
	const usual = speed < STANDING ? "scene" : "ease";
	const chosen = scope === "auto" ? usual : scope;
	if (chosen === "scene" || frame === 0) return {};
	if (chosen === "once") return { from: frame };
	return { from: frame, ease: Math.min(frame, EASE_FRAMES) };
}

/** Returns the first frame of other edits of a track, which have no gradual form. */
export function actionSpan(scope: Scope, frame: number): { readonly from?: number } {
	return scope === "scene" || frame === 0 ? {} : { from: frame };
}

/** Returns the first frame of a removal or an addition; automatic: of the scene. */
export function presenceSpan(scope: Scope, frame: number): { readonly from?: number } {
	return scope === "auto" ? {} : actionSpan(scope, frame);
}

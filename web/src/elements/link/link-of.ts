import { resolved } from "../open/places.js";
import { plotsOf } from "../plots/plots-state.js";
import { type Camera, DEFAULT_CAMERA } from "../scene-view/camera.js";
import { EMPTY_STATE, type ViewerState } from "../session/state.js";
import { linkedLayout } from "../viewer/layout-state.js";
import type { LinkState } from "./link.js";

function unless<T>(usual: T, value: T): T | undefined {
	return Object.is(value, usual) ? undefined : value;
}

function cameraOf(camera: Camera): Partial<Camera> | undefined {
	const keys = Object.keys(DEFAULT_CAMERA) as (keyof Camera)[];
	const moved = keys.filter((key) => camera[key] !== DEFAULT_CAMERA[key]);
	if (moved.length === 0) return undefined;
	return Object.fromEntries(moved.map((key) => [key, camera[key]]));
}

/** Settings with the same name and value in links and in the state. */
const SETTINGS = [
	"coords",
	"layers",
	"threshold",
	"distance",
	"minHistory",
	"minFuture",
	"past",
	"future",
	"rows",
	"sensors",
	"cameras",
	"speed",
	"sort",
	"theme",
	"distributions",
	"edits",
] as const;
type Settings = Pick<ViewerState, (typeof SETTINGS)[number]>;

/** Returns the settings of `link`; those absent from it are those of `state`. */
export function settingsOf(link: LinkState, state: ViewerState): Settings {
	const all = SETTINGS.map((name) => [name, link[name] ?? state[name]]);
	return Object.fromEntries(all) as Settings;
}

/** Values of fields absent from a link. */
export const LINK_DEFAULTS: LinkState = {
	scene: 0,
	frame: 0,
	section: undefined,
	loop: undefined,
	selection: undefined,
	focused: undefined,
	follow: EMPTY_STATE.follow,
	camera: DEFAULT_CAMERA,
	...settingsOf({}, EMPTY_STATE),
	theme: undefined,
	rankBy: EMPTY_STATE.review.by,
	find: EMPTY_STATE.find,
	charts: EMPTY_STATE.charts,
	plotted: EMPTY_STATE.plotted,
	plotSpan: EMPTY_STATE.plotSpan,
	note: undefined,
};

/** Returns whether the picture is about the selection. */
function isFocused({ focus, selection, scene }: ViewerState): boolean {
	return focus !== undefined && focus.of === selection && focus.scene === scene;
}

/** Returns the link state of `state`: everything that differs from the defaults. */
export function linkOf(state: ViewerState): LinkState {
	const changed = SETTINGS.filter((name) => state[name] !== EMPTY_STATE[name]);
	return {
		src: state.place?.kind === "address" ? state.place.address : undefined,
		scene: unless(0, state.scene),
		frame: unless(0, state.frame),
		section: state.section,
		selection: state.selection,
		focused: isFocused(state) || undefined,
		follow: unless(EMPTY_STATE.follow, state.follow),
		camera: cameraOf(state.camera),
		...Object.fromEntries(changed.map((name) => [name, state[name]])),
		map: state.mapAddress,
		...state.review.link?.(state.review),
		rollout: (state.rollout ?? state.futures)?.address,
		futures: state.futures?.link,
		rankBy: unless(EMPTY_STATE.review.by, state.review.by),
		find: state.find.where === "" ? undefined : state.find,
		...plotsOf(state),
		note: state.note,
		// A section loops unless told otherwise.
		loop: unless(state.section !== undefined, state.loop),
		...linkedLayout(state),
	};
}

/**
 * Returns whether the data set at `url` is open; `base` resolves its relative address.
 */
export function isOpenAt(
	state: ViewerState,
	url: URL | undefined,
	base: string,
): boolean {
	const { phase, place } = state;
	if (!url || phase !== "ready" || place?.kind !== "address") return false;
	return resolved(place.address, base)?.href === url.href;
}

import { DEFAULT_LAYERS } from "../layers/layer-set.js";
import { resolved } from "../open/places.js";
import { hasSecret, shownAddress } from "../open/secrets.js";
import { plotsOf } from "../plots/plots-state.js";
import { addressesIn, joinedAddresses } from "../review/addresses.js";
import { type Camera, DEFAULT_CAMERA } from "../scene-view/camera.js";
import { EMPTY_STATE, type ViewerState } from "../session/state.js";
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

/** Values of fields absent from a link. */
export const LINK_DEFAULTS: LinkState = {
	scene: 0,
	frame: 0,
	section: undefined,
	selection: undefined,
	follow: EMPTY_STATE.follow,
	camera: DEFAULT_CAMERA,
	coords: EMPTY_STATE.coords,
	layers: DEFAULT_LAYERS,
	threshold: EMPTY_STATE.threshold,
	distance: EMPTY_STATE.distance,
	minHistory: EMPTY_STATE.minHistory,
	minFuture: EMPTY_STATE.minFuture,
	past: EMPTY_STATE.past,
	future: EMPTY_STATE.future,
	rankBy: EMPTY_STATE.review.by,
	find: EMPTY_STATE.find,
	charts: EMPTY_STATE.charts,
	plotted: EMPTY_STATE.plotted,
	plotSpan: EMPTY_STATE.plotSpan,
	note: undefined,
};

/** Returns the link state of `state`: everything that differs from the defaults. */
export function linkOf(state: ViewerState): LinkState {
	return {
		src: state.place?.kind === "address" ? state.place.address : undefined,
		scene: unless(0, state.scene),
		frame: unless(0, state.frame),
		section: state.section,
		selection: state.selection,
		follow: unless(EMPTY_STATE.follow, state.follow),
		camera: cameraOf(state.camera),
		coords: unless(EMPTY_STATE.coords, state.coords),
		layers: unless(DEFAULT_LAYERS, state.layers),
		threshold: unless(EMPTY_STATE.threshold, state.threshold),
		distance: unless(EMPTY_STATE.distance, state.distance),
		minHistory: unless(EMPTY_STATE.minHistory, state.minHistory),
		minFuture: unless(EMPTY_STATE.minFuture, state.minFuture),
		past: unless(EMPTY_STATE.past, state.past),
		future: unless(EMPTY_STATE.future, state.future),
		map: state.mapAddress,
		...state.review.link?.(state.review),
		rollout: state.rollout?.address,
		rankBy: unless(EMPTY_STATE.review.by, state.review.by),
		find: state.find.where === "" ? undefined : state.find,
		...plotsOf(state),
		note: state.note,
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

/** Link fields that contain addresses. */
const ADDRESSES = ["src", "map", "predictions", "rollout"] as const;

/** Returns the addresses of a field; only predictions can have several. */
function addressesOf(
	key: (typeof ADDRESSES)[number],
	{ [key]: text = "" }: LinkState,
): readonly string[] {
	return key === "predictions" ? addressesIn(text) : [text];
}

/** Returns whether a part of an address in `link` may be secret. */
export function carriesSecret(link: LinkState): boolean {
	return ADDRESSES.some((key) => addressesOf(key, link).some((one) => hasSecret(one)));
}

/** Returns `link` without the parts of its addresses that may be secret. */
export function withoutCredentials(link: LinkState): LinkState {
	const plain = ADDRESSES.map((key) => [
		key,
		link[key] &&
			joinedAddresses(addressesOf(key, link).map((one) => shownAddress(one))),
	]);
	return { ...link, ...Object.fromEntries(plain) };
}

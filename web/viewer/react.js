"use client";
import { Viewer } from "bevscope/element";
import {
	createElement,
	forwardRef,
	useEffect,
	useImperativeHandle,
	useLayoutEffect,
	useRef,
} from "react";
import "bevscope/define";

/** The viewer's event of each handler. */
const HANDLERS = {
	onDatasetLoad: "dataset-load",
	onSceneChange: "scene-change",
	onFrameChange: "frame-change",
	onSelectionChange: "selection-change",
	onHoverChange: "hover-change",
	onPictureClick: "picture-click",
	onPlayChange: "play-change",
	onLayersChange: "layers-change",
	onCameraChange: "camera-change",
	onBufferChange: "buffer-change",
	onNotesChange: "notes-change",
	onStateChange: "state-change",
	onLoadError: "load-error",
	onContextLost: "context-lost",
};

/** Properties that are not attributes, or have another name, by prop. */
const NAMES = {
	camera: "camera",
	overlays: "overlays",
	selection: "selection",
	state: "link",
};

/** Values of removed props; null for attributes. */
const CLEARED = { overlays: [], predictions: undefined, selection: undefined };

// React warns about layout effects on servers.
const useBeforePaint = typeof document === "undefined" ? useEffect : useLayoutEffect;

/** Returns the viewer's property of a prop; undefined for those of every element. */
function propertyOf(prop) {
	return NAMES[prop] ?? (prop in Viewer.properties ? prop : undefined);
}

/** Sets a property of the viewer; a removed prop resets it. */
function assign(viewer, name, value) {
	const isMove = name === "frame" || name === "scene";
	// Programs return the position of an event, while the viewer may already move on.
	if (isMove && viewer[name] === value) return;
	if (value !== undefined && value !== null) viewer[name] = value;
	else if (name !== "camera") viewer[name] = name in CLEARED ? CLEARED[name] : null;
}

/** `bev-viewer` as a component: its properties and events are props. */
export const BevViewer = forwardRef(function BevViewer(props, ref) {
	const element = useRef(null);
	const latest = useRef(props);
	const before = useRef({ viewer: null, values: {} });
	const rest = {};
	const values = {};
	for (const [prop, value] of Object.entries(props)) {
		const name = propertyOf(prop);
		if (name) values[name] = value;
		else if (!Object.hasOwn(HANDLERS, prop)) rest[prop] = value;
	}

	useImperativeHandle(ref, () => element.current, []);

	useBeforePaint(() => {
		const viewer = element.current;
		const ended = new AbortController();
		for (const [prop, event] of Object.entries(HANDLERS)) {
			const listener = (told) => latest.current[prop]?.(told);
			viewer.addEventListener(event, listener, { signal: ended.signal });
		}
		return () => ended.abort();
	}, []);

	useBeforePaint(() => {
		latest.current = props;
		const viewer = element.current;
		const old = before.current.viewer === viewer ? before.current.values : {};
		before.current = { viewer, values };
		for (const name of new Set([...Object.keys(old), ...Object.keys(values)])) {
			if (!Object.is(old[name], values[name])) assign(viewer, name, values[name]);
		}
	});

	return createElement("bev-viewer", { ...rest, ref: element });
});

/** Half of the right panel. */
export type Half = "upper" | "lower";

/** Distance that makes a press a drag, in CSS pixels. */
const SLOP = 6;

/** Returns the half of `side` at a point; undefined beside it. */
function halfAt(side: Element, x: number, y: number): Half | undefined {
	const { left, right, top, bottom } = side.getBoundingClientRect();
	if (x < left || x > right || y < top || y > bottom) return undefined;
	return y < (top + bottom) / 2 ? "upper" : "lower";
}

/**
 * Lets a pressed tab be dragged to a half of the right panel, which is marked by `data-drop`.
 * A drag is no click; Escape ends it.
 */
export function dragTab(event: PointerEvent, drop: (half: Half) => void): void {
	const { currentTarget: tab, clientX, clientY, pointerId, pointerType } = event;
	if (!(tab instanceof HTMLElement) || event.button !== 0 || pointerType === "touch")
		return;
	const side = tab.closest<HTMLElement>(".right");
	if (!side) return;
	const ended = new AbortController();
	const { signal } = ended;
	let isDrag = false;
	let isCancelled = false;
	let half: Half | undefined;
	const end = (): void => {
		ended.abort();
		delete side.dataset.drop;
	};
	const move = (moved: PointerEvent): void => {
		const far = Math.hypot(moved.clientX - clientX, moved.clientY - clientY);
		if (!isDrag && far < SLOP) return;
		if (!isDrag) tab.setPointerCapture(pointerId);
		isDrag = true;
		half = isCancelled ? undefined : halfAt(side, moved.clientX, moved.clientY);
		if (half) side.dataset.drop = half;
		else delete side.dataset.drop;
	};
	const up = (): void => {
		end();
		if (!isDrag) return;
		const ignore = (click: Event): void => click.stopImmediatePropagation();
		tab.addEventListener("click", ignore, { capture: true, once: true });
		setTimeout(() => tab.removeEventListener("click", ignore, { capture: true }), 0);
		if (half) drop(half);
	};
	const key = (pressed: KeyboardEvent): void => {
		if (pressed.key !== "Escape") return;
		pressed.stopPropagation();
		isCancelled = true;
		half = undefined;
		delete side.dataset.drop;
	};
	document.addEventListener("pointermove", move, { signal });
	document.addEventListener("pointerup", up, { signal });
	document.addEventListener("pointercancel", end, { signal });
	document.addEventListener("keydown", key, { signal, capture: true });
}

import { html, nothing, type TemplateResult } from "lit";
import type { ViewerController } from "../session/controller.js";
import { frameCount } from "../session/state.js";
import { type FrameRange, rangeOf } from "./clock.js";
import { dragging, frameUnder } from "./lane-pointer.js";

type End = "begin" | "end";

/** Moves one end of the section to a frame; ends do not pass each other. */
function moved({ begin, end }: FrameRange, which: End, frame: number): FrameRange {
	const last = end - 1;
	return which === "begin"
		? rangeOf(Math.min(frame, last), last)
		: rangeOf(begin, Math.max(frame, begin));
}

function onPress(event: PointerEvent, which: End, controller: ViewerController): void {
	const handle = event.currentTarget as HTMLElement;
	const lane = handle.parentElement;
	if (!lane || event.button !== 0) return;
	event.preventDefault();
	event.stopPropagation();
	handle.focus();
	const count = frameCount(controller.state);
	dragging(handle, event, (move) => {
		const { section } = controller.state;
		if (section)
			controller.setSection(moved(section, which, frameUnder(move, lane, count)));
	});
}

function onKey(event: KeyboardEvent, which: End, controller: ViewerController): void {
	const { section } = controller.state;
	const step = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 }[event.key];
	if (!section || step === undefined || event.altKey) return;
	event.preventDefault();
	event.stopPropagation();
	const at = which === "begin" ? section.begin : section.end - 1;
	const to = Math.max(0, at + step * (event.shiftKey ? 10 : 1));
	controller.setSection(moved(section, which, to));
}

/** Renders a handle at each end of the section, movable by pointer and arrow keys. */
export function sectionHandles(
	controller: ViewerController | undefined,
): TemplateResult | typeof nothing {
	const section = controller?.state.section;
	if (!section) return nothing;
	const last = frameCount(controller.state) - 1;
	const handle = (
		which: End,
		name: string,
		frame: number,
	) => html`<div class="handle ${which}"
		role="slider" tabindex="0" aria-label=${name} title="${name}: drag, or arrow keys"
		aria-valuemin="0" aria-valuemax=${last} aria-valuenow=${frame} aria-valuetext="frame ${frame}"
		@pointerdown=${(event: PointerEvent) => onPress(event, which, controller)}
		@keydown=${(event: KeyboardEvent) => onKey(event, which, controller)}></div>`;
	return html`${handle("begin", "Section start", section.begin)}
		${handle("end", "Section end", section.end - 1)}`;
}

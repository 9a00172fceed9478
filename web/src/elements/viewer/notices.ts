import { html, nothing, type TemplateResult } from "lit";
import { nameOf } from "../open/places.js";
import { awaitedNotice } from "../review/awaited-files.js";
import type { ViewerController } from "../session/controller.js";
import { absenceOf } from "../session/source-state.js";
import type { Opening, ServerWait, ViewerState } from "../session/state.js";
import { icon } from "../ui/icons.js";
import { formatBytes } from "../ui/words.js";

/**
 * Renders the progress of opening another data set while the current one is displayed.
 */
function openingLine(
	{ place, progress }: Opening,
	controller: ViewerController,
): TemplateResult {
	const name = place.kind === "address" ? nameOf(place.address) : place.name;
	return html`<div class="notice"><span>Opening ${name} · ${formatBytes(progress?.bytes ?? 0)}</span>
		<button @click=${() => controller.dismissOpening()}>Cancel</button></div>`;
}

/** Renders the remaining delay requested by the server. */
function waitLine(
	{ key, seconds }: ServerWait,
	controller: ViewerController,
): TemplateResult {
	// Screen readers announce the delay once, not every second.
	return html`<div class="notice" aria-live="off"><span>The server requested a wait of <span class="mono">${seconds}</span> s (${key})</span>
		<button @click=${() => controller.askNow()}>Retry now</button></div>`;
}

function absenceWords(key: string): string {
	const { what, why } = absenceOf(key) ?? { what: key, why: "absent" };
	return `${what}: ${why}`;
}

/** Renders the keys presumed absent because their responses were unreadable. */
function absenceLines(
	keys: readonly string[],
	controller: ViewerController,
): TemplateResult {
	return html`<div class="notice"><span>${keys.map((key) => html`<span class="line">${absenceWords(key)}</span>`)}</span>
		<button @click=${() => void controller.reopen()}>Try again</button>
		<button class="icon-only" aria-label="Dismiss"
			@click=${() => controller.dismissAbsence()}>${icon("close")}</button></div>`;
}

/**
 * Returns the notices to show: without those about the cause that the failure over the
 * picture names, whose *Try again* retries everything.
 */
export function noticesOf({
	notices,
	faults,
	frameProblem,
}: Pick<ViewerState, "notices" | "faults" | "frameProblem">): readonly string[] {
	if (!frameProblem) return notices;
	const { why, error } = frameProblem;
	const isSame = (notice: string): boolean => {
		const { cause, key } = faults.get(notice) ?? {};
		return cause === why || (key !== undefined && key === error.key);
	};
	return notices.filter((notice) => !isSame(notice));
}

/** What the notices over the picture depend on. */
export interface NoticeOptions {
	/** Whether the picture is displayed, not the start page. */
	readonly picture: boolean;
	/** Whether a badge lists the faults; otherwise they are notices. */
	readonly badge: boolean;
	/** Called when the pointer or the focus enters or leaves the notices. */
	readonly hold: (held: boolean) => void;
}

/** Renders what is in progress, and outcomes, at the bottom of the picture. */
export function noticeList(
	controller: ViewerController | undefined,
	{ picture, badge, hold }: NoticeOptions,
): TemplateResult | typeof nothing {
	if (!controller) return nothing;
	const { opening, serverWait, presumedAbsent, outcomes } = controller.state;
	const { review, futures } = controller.state;
	const all = noticesOf(controller.state);
	const asked = [awaitedNotice(review), futures?.asked];
	const isShown = (one: string): boolean => outcomes.has(one) || asked.includes(one);
	const notices = badge ? all.filter(isShown) : all;
	const absent = badge ? [] : presumedAbsent;
	const next = picture ? opening : undefined;
	if (notices.length === 0 && !next && !serverWait && absent.length === 0)
		return nothing;
	const dismissAll = (): void => {
		for (const notice of notices) controller.dismiss(notice);
	};
	return html`<div class="notices" part="status" role="status"
		@pointerenter=${() => hold(true)} @pointerleave=${() => hold(false)}
		@focusin=${() => hold(true)} @focusout=${() => hold(false)}>${
			next ? openingLine(next, controller) : nothing
		}${serverWait ? waitLine(serverWait, controller) : nothing}${
			absent.length > 0 ? absenceLines(absent, controller) : nothing
		}${
			notices.length > 1
				? html`<button class="raised all" @click=${dismissAll}>Dismiss all ${notices.length}</button>`
				: nothing
		}${notices.map((notice) => {
			const times = outcomes.get(notice) ?? 1;
			return html`<div class="notice"><span>${notice}${times > 1 ? html` <span class="mono" >× ${times}</span>` : nothing}</span>
			<button class="icon-only" aria-label="Dismiss"
				@click=${() => controller.dismiss(notice)}>${icon("close")}</button></div>`;
		})}</div>`;
}

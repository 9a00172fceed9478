import { css } from "lit";

export const openStyles = css`
:host { display: grid; place-items: safe center; overflow: auto; padding: 24px 16px; background: var(--_ground); }
.card { width: min(560px, 100%); display: grid; grid-template-columns: minmax(0, 1fr); gap: 16px; }
bev-backdrop { display: none; }
/* Where the viewer contains fixed boxes. */
@container bev-viewer (min-width: 600px) and (min-height: 480px) {
	bev-backdrop { display: block; position: fixed; inset: 0; opacity: 0.55; }
	.card { position: relative; padding: 24px; border: 1px solid var(--_line); border-radius: 10px; background: var(--_bg); }
}
h2 { font-size: 22px; font-weight: 600; letter-spacing: -0.01em; line-height: 1.25; overflow-wrap: anywhere; }
.lead { color: var(--_ink2); }
.drop {
	display: grid;
	justify-items: center;
	gap: 8px;
	padding: 32px 16px;
	border: 1.5px dashed var(--_edge);
	border-radius: 10px;
	background: var(--_panel);
	text-align: center;
}
.drop .icon { width: 28px; height: 28px; color: var(--_ink3); }
.choices { display: flex; flex-wrap: wrap; justify-content: center; gap: 8px; }
.drop.over { border-color: var(--_accent); background: var(--_raise); }
form { display: flex; gap: 8px; }
form input { flex: 1; min-width: 0; min-height: 36px; }
form button, .actions button { min-height: 36px; }
label { display: block; color: var(--_ink2); padding-bottom: 4px; }
.actions { display: flex; flex-wrap: wrap; gap: 8px; }
.again { flex-wrap: nowrap; }
.again .outlined { min-width: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; display: block; }
.or { color: var(--_ink3); }
.recent li { display: flex; gap: 4px; min-width: 0; }
.recent .head { display: flex; justify-content: space-between; align-items: center; }
.recent .head button, .recent .icon-only { color: var(--_ink3); }
.copy { display: flex; gap: 8px; align-items: center; min-width: 0; }
.copy .address { flex: 1; min-width: 0; }
.alternatives { display: grid; gap: 6px; }
.alternatives button { width: 100%; justify-content: flex-start; min-height: 36px; overflow-wrap: anywhere; text-align: left; white-space: normal; }
.recent .entry { flex: 1; min-width: 0; justify-content: flex-start; overflow: hidden; color: var(--_ink2); padding: 0 8px; margin: 0 -8px; }
.recent span { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; direction: rtl; unicode-bidi: plaintext; }
.address { overflow-wrap: anywhere; padding: 8px 12px; background: var(--_panel); border: 1px solid var(--_line); border-radius: 6px; }
.why { overflow-wrap: anywhere; }
.advice { display: grid; gap: 4px; color: var(--_ink2); }
.advice li { padding-left: 16px; position: relative; }
.advice li::before { content: ""; position: absolute; left: 2px; top: 8px; width: 5px; height: 5px; border-radius: 50%; background: var(--_ink3); }
.bad { display: flex; gap: 10px; align-items: center; }
.bad .icon { width: 22px; height: 22px; color: var(--_warn-ink); }
.numbers { color: var(--_ink2); }
progress { appearance: none; width: 100%; height: 4px; border: 0; border-radius: 2px; background: var(--_raise); overflow: hidden; }
progress::-webkit-progress-bar { background: var(--_raise); }
.moving { height: 4px; border-radius: 2px; background: var(--_raise); overflow: hidden; }
.moving::after { content: ""; display: block; width: 30%; height: 100%; border-radius: 2px; background: var(--_accent); }
@media (prefers-reduced-motion: no-preference) {
	.moving::after { animation: move 1.2s ease-in-out infinite alternate; }
}
/* Low: controls come first and stay visible. */
@container bev-viewer (max-height: 479px) {
	:host { padding: 10px 12px; }
	.card { gap: 8px; }
	h2 { font-size: 15px; padding-right: 40px; }
	.lead, .drop .icon, .drop p { display: none; }
	.drop { padding: 8px; }
	.actions { position: sticky; bottom: -10px; padding: 4px 0 10px; background: var(--_ground); }
	.address { padding: 4px 8px; }
}
@keyframes move { from { transform: translateX(0); } to { transform: translateX(233%); } }
`;

import { css } from "lit";

export const dialogStyles = css`
dialog {
	color: var(--_ink);
	background: var(--_panel);
	border: 1px solid var(--_line);
	border-radius: 6px;
	box-shadow: 0 12px 40px rgb(0 0 0 / 0.35);
	padding: 0;
	max-width: min(560px, calc(100vw - 24px));
	max-height: min(640px, calc(100vh - 24px));
}
dialog[open] { display: flex; flex-direction: column; }
dialog::backdrop { background: rgb(0 0 0 / 0.45); }
dialog > header { display: flex; align-items: center; justify-content: space-between; gap: 24px; padding: 12px 8px 8px 16px; }
dialog h2 { font-size: 16px; font-weight: 600; }
dialog .scroll { overflow: auto; min-height: 0; }
`;

import { css } from "lit";

export const exportStyles = css`
.body { display: grid; gap: 16px; padding: 4px 16px 16px; width: min(480px, 80vw); overflow: auto; }
.body p { color: var(--_ink2); }
fieldset { border: 0; margin: 0; padding: 0; min-width: 0; display: grid; gap: 8px; }
fieldset + fieldset { border-top: 1px solid var(--_line); padding-top: 12px; }
legend { float: left; padding: 0; font-weight: 600; }
legend + * { clear: left; }
.row { display: flex; flex-wrap: wrap; gap: 8px 12px; align-items: center; }
.acts { display: flex; flex-wrap: wrap; gap: 8px; margin-left: auto; }
.row label { display: flex; gap: 8px; align-items: center; min-height: 28px; }
.row select { max-width: 260px; }
.far { display: grid; grid-template-columns: 1fr auto; gap: 2px 8px; align-items: center; }
.far p { grid-column: 1 / -1; }
progress { width: 100%; accent-color: var(--_accent); }
.ask { display: flex; flex-wrap: wrap; gap: 8px; align-items: center; padding: 8px 12px; border-radius: 6px; background: var(--_raise); }
.ask p { flex: 1 1 160px; color: var(--_ink); }
.ask button { background: var(--_line); }
.bad { color: var(--_warn-ink); }
`;

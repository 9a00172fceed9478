/** The controls and notes over a picture and its gestures, loaded together after it. */
import { controlStyles } from "../ui/base-styles.js";
import { overPictureStyles } from "./over-picture-styles.js";

export { FrameBlend } from "./frame-blend.js";
export { cameraMenu, readout, zoomButtons } from "./scene-chrome.js";
export { sceneNotes } from "./scene-notes.js";
export { ScenePointer } from "./scene-pointer.js";

/** Style sheets of the controls, to be applied after the picture's. */
export const styles = [controlStyles, overPictureStyles];

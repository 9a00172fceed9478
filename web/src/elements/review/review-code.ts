/** The code of predictions, loaded together by `Reviews`. */
export { changeAddresses, changeSets, removeNamed } from "./prediction-sets.js";
export { ReviewController } from "./review-controller.js";
export { restoreModels } from "./review-link.js";

import DefaultTheme from "vitepress/theme";
import { movedHeading } from "../moved.mjs";
import LiveViewer from "./LiveViewer.vue";
import "./style.css";

export default {
	extends: DefaultTheme,
	enhanceApp({ app }) {
		app.component("LiveViewer", LiveViewer);
		if (typeof location === "undefined") return;
		const moved = movedHeading(location.pathname, location.hash);
		if (moved) location.replace(moved);
	},
};

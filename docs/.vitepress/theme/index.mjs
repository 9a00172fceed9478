import DefaultTheme from "vitepress/theme";
import { movedHeading } from "../moved.mjs";
import Gallery from "./Gallery.vue";
import LiveViewer from "./LiveViewer.vue";
import Playground from "./Playground.vue";
import "./style.css";

export default {
	extends: DefaultTheme,
	enhanceApp({ app }) {
		for (const [name, one] of Object.entries({ Gallery, LiveViewer, Playground }))
			app.component(name, one);
		if (typeof location === "undefined") return;
		const moved = movedHeading(location.pathname, location.hash);
		if (moved) location.replace(moved);
	},
};

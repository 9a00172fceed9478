import { start } from "./site/site-page.js";

start();

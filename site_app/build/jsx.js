// Stands in for @emotion/react: elements here have classes and no style props (the build refuses those), and so emotion nothing to do.
import { createElement } from "react";

export const jsx = createElement;

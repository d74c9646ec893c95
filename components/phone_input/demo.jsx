// The developers' page around the phone input.
import "./demo.css";

export const DemoFrame = ({ children }) => <main className="phone-demo">{children}</main>;

"""Browser scripts around all components: the reader scripts, and helpers of the React components."""

"""What runs in the browser around all parts: plain script for who reads, and the helpers of React's parts."""

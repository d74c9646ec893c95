export PATH := $(CURDIR)/.venv/bin:$(PATH)
export REFLEX_USE_NPM := true
export REFLEX_TELEMETRY_ENABLED := false
export REFLEX_CHECK_LATEST_VERSION := false
build:
	NPM_CONFIG_REGISTRY="$$(npm config get registry)" reflex export --no-zip --frontend-only

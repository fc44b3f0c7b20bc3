#!/bin/sh
exec node ../node_modules/tsx/dist/cli.mjs Watchman.ts

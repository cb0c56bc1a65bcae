// The tests of watching with every bundler; by day they watch with Vite, webpack and esbuild.
import { runTests } from './apps/tests.js'

runTests(['bundlers/watch', 'bundlers/client-guard'], { ALL_WATCHERS: '1' })

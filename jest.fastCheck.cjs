// fast-check with a fixed seed, so that every run tries the same cases; the nightly workflow sets another one.
const fc = require('./node_modules/fast-check/lib/cjs/fast-check.js');

fc.configureGlobal({ seed: Number(process.env.TEST_SEED ?? 1) });

module.exports = fc;

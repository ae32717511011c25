// Not a measure of anything: only so that a test that hangs ends one day, on slow machines too.
jest.setTimeout(300_000);

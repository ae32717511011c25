// The limit only ends tests that hang, also on slow machines.
jest.setTimeout(600_000);

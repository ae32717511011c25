import { pollUntil } from '../poll.ts';

/** n8n's process under the eye of V8's own profiler: `npm run bench -- --only <row> --profile`. */
export interface Inspector {
	begin(): Promise<void>;
	/** Where the time of the process went since it began. */
	end(): Promise<Profile>;
	/** What the process holds once all that nobody holds is gone. */
	memory(): Promise<Record<string, number>>;
	/** Whether the process is still there to be asked. */
	isOpen(): boolean;
	close(): void;
}

interface CallFrame {
	functionName: string;
	url: string;
	lineNumber: number;
}

interface CpuProfile {
	nodes: { id: number; callFrame: CallFrame }[];
	samples: number[];
	timeDeltas: number[];
}

/** Milliseconds of the one thread, by what had them: packages, and functions. */
export interface Profile {
	places: Map<string, number>;
	functions: Map<string, number>;
}

export async function inspect(port: number): Promise<Inspector> {
	const targets = await pollUntil(
		async () => {
			const answer = await fetch(`http://127.0.0.1:${port}/json/list`).catch(() => undefined);
			return answer?.ok === true ? ((await answer.json()) as { webSocketDebuggerUrl: string }[]) : undefined;
		},
		{ what: "n8n's inspector", timeoutMs: 30_000 },
	);
	const socket = new WebSocket(targets[0]?.webSocketDebuggerUrl ?? '');
	await new Promise((resolve, reject) => {
		socket.addEventListener('open', resolve);
		socket.addEventListener('error', reject);
	});
	const waiting = new Map<number, (result: unknown) => void>();
	socket.addEventListener('message', ({ data }) => {
		const { id, result } = JSON.parse(String(data)) as { id?: number; result?: unknown };
		if (id !== undefined) waiting.get(id)?.(result);
	});
	let count = 0;
	const ask = async (method: string, params: object = {}): Promise<unknown> => {
		const id = ++count;
		const answer = new Promise((resolve) => waiting.set(id, resolve));
		socket.send(JSON.stringify({ id, method, params }));
		return await answer;
	};
	await ask('Profiler.enable');
	await ask('Profiler.setSamplingInterval', { interval: 500 });
	return {
		async begin() {
			await ask('Profiler.start');
		},
		async end() {
			const { profile } = (await ask('Profiler.stop')) as { profile: CpuProfile };
			return summed(profile);
		},
		async memory() {
			await ask('HeapProfiler.collectGarbage');
			const expression = 'process.memoryUsage()';
			const { result } = (await ask('Runtime.evaluate', { expression, returnByValue: true })) as {
				result: { value: Record<string, number> };
			};
			return result.value;
		},
		isOpen: () => socket.readyState === WebSocket.OPEN,
		close: () => socket.close(),
	};
}

function add(sums: Map<string, number>, name: string, milliseconds: number): void {
	sums.set(name, (sums.get(name) ?? 0) + milliseconds);
}

export function merged(profiles: readonly Profile[]): Profile {
	const sum: Profile = { places: new Map(), functions: new Map() };
	for (const part of ['places', 'functions'] as const)
		for (const profile of profiles)
			for (const [name, milliseconds] of profile[part]) add(sum[part], name, milliseconds);
	return sum;
}

function summed({ nodes, samples, timeDeltas }: CpuProfile): Profile {
	const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]));
	const [places, functions] = [new Map<string, number>(), new Map<string, number>()];
	for (const [index, sample] of samples.entries()) {
		const frame = frames.get(sample);
		if (frame === undefined) continue;
		const milliseconds = (timeDeltas[index] ?? 0) / 1000;
		const place = placeOf(frame);
		add(places, place, milliseconds);
		add(functions, `${place} ${frame.functionName || '(anonymous)'}:${frame.lineNumber + 1}`, milliseconds);
	}
	return { places, functions };
}

/** The package, and of ours the file as well. */
function placeOf({ url, functionName }: CallFrame): string {
	if (url === '') return functionName.startsWith('(') ? functionName : '(native)';
	if (url.startsWith('node:')) return 'Node';
	const inside = url.split('/node_modules/').at(-1) ?? url;
	const parts = inside.split('/');
	if (inside.startsWith('n8n-nodes-bank/')) return parts.slice(-1).join('/');
	return inside.startsWith('@') ? parts.slice(0, 2).join('/') : (parts[0] ?? inside);
}

export function profileText({ places, functions }: Profile): string {
	const most = (sums: Map<string, number>, count: number) =>
		[...sums]
			.filter(([name]) => !/^\((?:idle|program)\)/.test(name))
			.sort(([, one], [, other]) => other - one)
			.slice(0, count)
			.map(([name, milliseconds]) => `${milliseconds.toFixed(0).padStart(8)} ms  ${name}`);
	return [...most(places, 14), '', ...most(functions, 30)].join('\n');
}

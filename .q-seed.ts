import { startEmbedded } from '/work/main/db/embedded.ts';
import postgres from 'postgres';
process.chdir('/work/main');
const pg = await startEmbedded('/tmp/data-seed');
const sql = postgres(pg.url(process.argv[2] ?? 'demo'));
for (const q of process.argv.slice(3)) { const t=performance.now(); const rows = await sql.unsafe(q); console.log(q.slice(0,100), Math.round(performance.now()-t)+'ms'); console.table([...rows].map(r=>Object.fromEntries(Object.entries(r).map(([k,v])=>[k,v instanceof Date?v.toISOString():typeof v==='object'&&v?JSON.stringify(v):v])))); }
await sql.end(); await pg.stop();

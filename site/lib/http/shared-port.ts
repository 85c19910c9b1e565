import { dlopen, ptr } from 'bun:ffi';
import { ownListenersAt } from './accept-queue.ts';

/** Where a process stands among those that listen at one port: Linux keeps them in a list. */
export interface Place {
  index: number;
  count: number;
}

/** Of Linux' `socket.h`, the same on x64 and arm64. */
const solSocket = 1;
const attachProgram = 51;
const detachProgram = 68;

/** Instructions of Linux' classic BPF, and where it finds a random number. */
const load = 0x20;
const remainderOf = 0x94;
const jumpIfEqual = 0x15;
const answer = 0x06;
const answerLoaded = 0x16;
const randomNumber = 0xfffff038;

/**
 * Gives new connections to those with whom this process shares the port, each as many: Linux resets who waits in the queue of a
 * socket that is closed, however quickly, so nobody may be added to it any more (decision W8). No right is needed for it.
 * @returns false where the system does not do that
 */
export function leaveSharedPort(port: number, { index, count }: Place): boolean {
  if (count < 2) return false;
  // One of all but the last; the last in our place. When we are gone the last has our place, and what names it as the last
  // names nobody: then Linux chooses evenly among all.
  return setOption(port, attachProgram, 16, [
    [load, 0, 0, randomNumber],
    [remainderOf, 0, 0, count - 1],
    [jumpIfEqual, 0, 1, index],
    [answer, 0, 0, count - 1],
    [answerLoaded, 0, 0, 0],
  ]);
}

/** Has Linux choose evenly again among all who listen at the port, after one of them left. */
export function spreadEvenly(port: number): void {
  setOption(port, detachProgram, 4, []);
}

type Instruction = [code: number, ifTrue: number, ifFalse: number, value: number];

/**
 * Sets an option of each socket with which this process listens at the port, to a program or to zeros.
 * @returns whether all took it
 */
function setOption(port: number, option: number, length: number, program: readonly Instruction[]): boolean {
  const setSocketOption = findSetSocketOption();
  const listeners = ownListenersAt(port);
  if (!setSocketOption || listeners.length === 0) return false;
  const value = valueWith(program);
  return listeners
    .map(({ descriptor }) => setSocketOption(descriptor, solSocket, option, ptr(value), length))
    .every((result) => result === 0);
}

/** Linux' `struct sock_fprog`, which says how many instructions there are and where, and behind it the instructions. */
function valueWith(program: readonly Instruction[]): Buffer {
  const head = 16;
  const value = Buffer.alloc(head + 8 * program.length);
  value.writeUInt16LE(program.length, 0);
  if (program.length > 0) value.writeBigUInt64LE(BigInt(ptr(value)) + BigInt(head), 8);
  for (const [place, [code, ifTrue, ifFalse, number]] of program.entries()) {
    const start = head + 8 * place;
    value.writeUInt16LE(code, start);
    value.writeUInt8(ifTrue, start + 2);
    value.writeUInt8(ifFalse, start + 3);
    value.writeUInt32LE(number, start + 4);
  }
  return value;
}

function findSetSocketOption() {
  for (const library of process.platform === 'linux' ? ['libc.so.6', 'libc.so'] : []) {
    try {
      return dlopen(library, {
        setsockopt: { args: ['i32', 'i32', 'i32', 'ptr', 'u32'], returns: 'i32' },
      }).symbols.setsockopt;
    } catch {
      // Another C library: of musl, `libc.so`.
    }
  }
  return undefined;
}

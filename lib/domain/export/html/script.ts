/**
 * The script of a page with audio: plays from the time of a paragraph, marks the paragraph that is spoken, and opens at a time
 * in the address (`#t=90`). Audio that the page contains becomes a Blob, in which a browser can seek.
 */
export const PAGE_SCRIPT = `
const audio=document.querySelector("audio");
const turns=[...document.querySelectorAll(".turn")];
const starts=turns.map(turn=>Number(turn.dataset.start));
const embedded=document.getElementById("audio-data");
if(embedded){
  const parts=embedded.textContent.trim().split("\\n").map(line=>Uint8Array.from(atob(line),sign=>sign.charCodeAt(0)));
  audio.src=URL.createObjectURL(new Blob(parts,{type:embedded.dataset.type}));
  embedded.remove();
}
let current=null;
const mark=()=>{
  let low=0,high=starts.length;
  while(low<high){const middle=(low+high)>>1;if(starts[middle]<=audio.currentTime+.05)low=middle+1;else high=middle}
  const next=low>0?turns[low-1]:null;
  if(next===current)return;
  current?.classList.remove("current");
  next?.classList.add("current");
  current=next;
};
const seek=(seconds,play)=>{audio.currentTime=seconds;if(play)audio.play().catch(()=>{})};
audio.addEventListener("timeupdate",mark);
audio.addEventListener("seeked",mark);
document.addEventListener("click",event=>{
  const target=event.target.closest("[data-seek]");
  if(target)seek(Number(target.dataset.seek),true);
});
const wanted=/^#t=(\\d+(?:\\.\\d+)?)$/.exec(location.hash);
if(wanted){
  const start=()=>{seek(Number(wanted[1]),false);mark();current?.scrollIntoView({block:"center"})};
  if(audio.readyState>0)start();else audio.addEventListener("loadedmetadata",start,{once:true});
}
`

use zermelo::{rules::*,games::*};
fn main(){ let mut r=SplitMix::new(1); 
for _ in 0..3 { let t=std::time::Instant::now(); let mut plies=0u64; let n=300000; for _ in 0..n { let mut p=TixTax::start(); while p.outcome().is_none(){ let m=p.random_move(&mut r); p.play_unchecked(m); plies+=1;} } let e=t.elapsed().as_secs_f64(); println!("{:.0}k/s {:.1} plies {:.1} ns/ply",n as f64/e/1e3, plies as f64/n as f64, e*1e9/plies as f64);}}

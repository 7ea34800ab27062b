use zermelo::{rules::*,games::*,search::*,eval::*};
fn main(){ 
 let task=|d:Option<u32>,n:Option<u64>|Task::<TixTax>{record:Record::new(TixTax::start()),moves:TixTax::start().legal_moves().into_iter().collect(),limits:Limits{depth:d,nodes:n,..Default::default()},lines:1,threads:1,seed:0};
 let mut ab=AlphaBeta::<TixTax,_>::new(Sober::new(&Weights::embedded().unwrap()),16).unwrap();
 let d=std::env::args().nth(1).map(|x|x.parse().unwrap()).unwrap_or(9);
 let c=Control::new(false,false);
 let r=ab.search(&task(Some(d),None),&c,&mut |r|println!("{} {} {:?} {:?} {}",r.depth,r.nodes,r.time,r.lines[0].score,r.lines[0].moves.iter().map(|m|m.to_string()).collect::<Vec<_>>().join(" ")));
 println!("{:?} nps {:.2}M",r,r.nodes as f64/r.time.as_secs_f64()/1e6);
 for hash in [16,256]{ let mut m=Mcts::new(hash); let c=Control::new(false,false); let r=m.search(&task(None,Some(1000000)),&c,&mut|_|()); println!("mcts {hash} {:?} full {} {:?} d{} sel{} {:.0}k/s",r.lines[0].score,r.hash_full,r.time,r.depth,r.selective_depth,r.nodes as f64/r.time.as_secs_f64()/1e3);}
}
